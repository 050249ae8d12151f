/** What narrows the journal: the mission, the type of entry, who acted, and when. */
import { useId, useState } from 'preact/hooks';
import { actor_chars_max } from '../../../base/listing-limits.js';
import { withQuery } from '../../kit/address/with-query.js';
import { noJournalFilters, type JournalFilters } from '../session/route.js';
import { replaceRoute } from '../session/use-route.js';
import { Period, TextFilter } from '../../kit/controls/filter-fields.js';
import { useWords } from '../text/words.js';
import { typesByGroup } from './types.js';

const mission_chars_max = 36;

export function JournalFilterBar({ filters }: { readonly filters: JournalFilters }) {
  const { t } = useWords();
  const [round, setRound] = useState(0);
  const change = (part: Partial<JournalFilters>): void =>
    replaceRoute({ page: 'journal', before: null, filters: { ...filters, ...part } });
  const clear = (): void => {
    setRound((n) => n + 1);
    change(noJournalFilters);
  };
  return (
    // Other fields take the place of the cleared ones, with whatever was still being typed there.
    <form key={round} class="filters" role="search" aria-label={t.list.filters} onSubmit={(event) => event.preventDefault()}>
      <TextFilter
        isSearch
        label={t.audit.mission}
        hint={t.audit.missionHint}
        value={filters.mission}
        chars_max={mission_chars_max}
        clean={(text) => text.toLowerCase().replace(/[^0-9a-f-]/g, '')}
        change={(mission) => change({ mission })}
      />
      <TypeField type={filters.type} change={change} />
      <TextFilter
        label={t.audit.columns.who}
        hint={t.list.actorHint}
        value={filters.actor}
        chars_max={actor_chars_max}
        change={(actor) => change({ actor })}
      />
      <Period value={filters} change={change} labels={[t.audit.since, t.audit.until]} />
      {withQuery('', { ...filters }) !== '' && (
        <button type="button" onClick={clear}>
          {t.list.clear}
        </button>
      )}
    </form>
  );
}

interface TypeProps {
  readonly type: string;
  readonly change: (part: Partial<JournalFilters>) => void;
}

function TypeField({ type, change }: TypeProps) {
  const { t } = useWords();
  const id = useId();
  return (
    <div>
      <label for={id}>{t.audit.columns.what}</label>
      <select id={id} value={type} onChange={(event) => change({ type: event.currentTarget.value })}>
        <option value="">{t.list.all}</option>
        {typesByGroup.map(([group, types]) => (
          <optgroup key={group} label={t.audit.groups[group]}>
            <option value={group}>{t.audit.allOf(t.audit.groups[group])}</option>
            {types.map((each) => (
              <option key={each} value={each}>
                {t.audit.types[each]}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </div>
  );
}
