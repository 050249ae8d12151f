/** The people who approve results: their keys with fingerprints, links for new passkeys, and removal with a reason. */
import { useState } from 'preact/hooks';
import { type ApproverDocument, approverCodec, approverLinkCodec, approverListCodec } from '../../../codec/api-approvers.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { CommandLine, CopyButton } from '../../kit/controls/copy.js';
import { Dialog } from '../../kit/controls/dialog.js';
import { Button } from '../../kit/controls/inputs.js';
import { Empty, Load, PageTitle } from '../../kit/controls/pieces.js';
import { Field } from '../../kit/forms/fields.js';
import { useKeptState } from '../../kit/forms/kept.js';
import { RequestForm, useReason } from '../../kit/forms/request-form.js';
import { useFeed, useGet, useRights, useTask } from '../session/session.js';
import { useWords } from '../text/words.js';

type Key = ApproverDocument['keys'][number];

/** What is to be removed: a key, or the approver. */
type Removal = { readonly name: string; readonly fingerprint: string | null };

export function ApproversPage() {
  const { t } = useWords();
  const { administer } = useRights();
  const approvers = useGet('/api/approvers', approverListCodec);
  const [removal, setRemoval] = useState<Removal | null>(null);
  useFeed({ entry: ({ stream }) => stream.startsWith('@approver:') && approvers.reload(), again: approvers.reload });
  return (
    <>
      <PageTitle title={t.approvers.title} />
      <p class="lead">{t.approvers.lead}</p>
      <Load from={approvers} failed={t.failed.approvers}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t.approvers.empty} />
          ) : (
            <>
              {items.map((approver) => (
                <Approver key={approver.name} approver={approver} remove={administer ? setRemoval : null} />
              ))}
            </>
          )
        }
      </Load>
      {administer && <LinkForm />}
      {removal !== null && <RemoveDialog removal={removal} done={approvers.reload} onClose={() => setRemoval(null)} />}
      <CommandLine lines={[agentCli('approver', 'list'), ...(administer ? [agentCli('approver', 'add', '--help')] : [])]} />
    </>
  );
}

interface ApproverProps {
  readonly approver: ApproverDocument;
  /** Null for who may not. */
  readonly remove: ((removal: Removal) => void) | null;
}

function Approver({ approver: { name, title, state, keys }, remove }: ApproverProps) {
  const { t } = useWords();
  return (
    <section class="card approver" aria-label={name}>
      <div class="title-row">
        <h2>
          {name} {title !== null && <span class="muted">{title}</span>}
        </h2>
        {state === 'removed' ? (
          <span class="muted">{t.approvers.removed}</span>
        ) : (
          remove !== null && (
            <Button
              class="small quiet"
              aria-label={t.approvers.removeOne(name)}
              onClick={() => remove({ name, fingerprint: null })}
              text={t.approvers.remove}
            />
          )
        )}
      </div>
      <ul class="bare keys-of">
        {keys.map((key) => (
          <KeyLine
            key={key.fingerprint}
            of={key}
            remove={remove === null ? null : (fingerprint) => remove({ name, fingerprint })}
          />
        ))}
      </ul>
    </section>
  );
}

function KeyLine({ of: key, remove }: { readonly of: Key; readonly remove: ((fingerprint: string) => void) | null }) {
  const { t, f } = useWords();
  const { kind, fingerprint, added_at, removed_at, reason } = key;
  return (
    <li class={removed_at === null ? 'flow' : 'flow muted'}>
      <span>
        {t.approvers.kinds[kind]} <code class="mono">{fingerprint}</code>
      </span>
      <span class="help">
        {removed_at === null
          ? t.approvers.added(f.dateTime(added_at))
          : t.approvers.keyRemoved(f.dateTime(removed_at), reason ?? '')}
      </span>
      {removed_at === null && remove !== null && (
        <Button
          class="small quiet"
          aria-label={t.approvers.removeOne(fingerprint)}
          onClick={() => remove(fingerprint)}
          text={t.approvers.removeKey}
        />
      )}
    </li>
  );
}

type RemoveProps = { readonly removal: Removal; readonly done: () => void; readonly onClose: () => void };

function RemoveDialog({ removal: { name, fingerprint }, done, onClose }: RemoveProps) {
  const { k, t } = useWords();
  const task = useTask();
  const { label, hint, missing } = t.reason;
  const from = `removal.${task.status.actor.name}.${fingerprint ?? name}`;
  const { reason, field, isGiven, forget } = useReason({ id: 'removal-reason', from, label, hint, missing });
  const submit = (): void => {
    if (!isGiven()) return;
    task.run(async () => {
      const text = JSON.stringify({ reason, ...(fingerprint === null ? {} : { fingerprint }) });
      await task.api.post(`/api/approvers/${name}/remove`, approverCodec, { text });
      forget();
      task.announce(t.approvers.removedNow(fingerprint ?? name));
      done();
      onClose();
    });
  };
  return (
    <Dialog title={t.approvers.removeOne(name)} onClose={onClose}>
      <RequestForm
        task={task}
        failed={t.failed.remove}
        submit={submit}
        text={t.approvers.remove}
        tone="danger"
        beside={<Button onClick={onClose} text={k.back} />}
      >
        {fingerprint !== null && (
          <p>
            <code class="mono">{fingerprint}</code>
          </p>
        )}
        <p>{t.approvers.removeText}</p>
        {field}
      </RequestForm>
    </Dialog>
  );
}

/** Makes a link for a person. Who it is sent to registers a passkey under the name. */
function LinkForm() {
  const { t, f } = useWords();
  const task = useTask();
  const { form, set, forget } = useKeptState(`approver.${task.status.actor.name}`, { name: '', title: '' });
  const { name, title } = form;
  const [made, setMade] = useState<{ readonly name: string; readonly link: string; readonly expires_at: string } | null>(null);
  const submit = (): void =>
    task.run(async () => {
      setMade(null);
      const text = JSON.stringify({ name, ...(title.trim() === '' ? {} : { title: title.trim() }) });
      setMade({ name, ...(await task.api.post('/api/approver-links', approverLinkCodec, { text })) });
      forget();
    });
  const link = made !== null && (
    <div class="notice" role="status">
      <p>{t.approvers.linkFor(made.name, f.time(made.expires_at))}</p>
      <p>
        <a href={made.link} target="_blank" rel="noopener noreferrer" class="mono" data-link>
          {made.link}
        </a>{' '}
        <CopyButton text={made.link} label={t.approvers.copyLink} />
      </p>
    </div>
  );
  const says = { failed: t.failed.makeLink, text: t.approvers.makeLink };
  return (
    <RequestForm class="card" task={task} {...says} submit={submit} isReady={name !== ''} below={link}>
      <h2>{t.approvers.add}</h2>
      <p>{t.approvers.addText}</p>
      <Field path="name" label={t.approvers.name} value={name} set={(text) => set({ name: text.trim() })} />
      <Field path="title" label={t.approvers.titleField} value={title} set={(text) => set({ title: text })} />
    </RequestForm>
  );
}
