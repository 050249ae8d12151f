/** The page that the address names. */
import { PageTitle } from '../../kit/controls/pieces.js';
import { ComparePage } from '../pages/compare.js';
import { InsightPage } from '../pages/insight.js';
import { NewPage } from '../pages/new.js';
import { RunPage } from '../pages/run.js';
import { RunsPage } from '../pages/runs.js';
import { hrefOf } from '../session/routes.js';
import { useWords } from '../text/words.js';
import { useRoute } from '../session/use-route.js';

export function Pages() {
  const route = useRoute();
  switch (route.page) {
    case 'new':
      return <NewPage key={route.from} from={route.from ?? null} />;
    case 'runs':
      return <RunsPage state={route.state} cursor={route.cursor} />;
    case 'run':
      return <RunPage key={route.id} id={route.id} />;
    case 'compare':
      return <ComparePage ids={route.ids} />;
    case 'insight':
      return <InsightPage ids={route.ids} />;
    case 'unknown':
      return <UnknownPage path={route.path} />;
  }
}

function UnknownPage({ path }: { readonly path: string }) {
  const { t } = useWords();
  return (
    <>
      <PageTitle title={t.shell.notFound} />
      <p>{t.shell.notFoundText(path)}</p>
      <p>
        <a href={hrefOf({ page: 'new' })}>{t.shell.toNew}</a>
      </p>
    </>
  );
}
