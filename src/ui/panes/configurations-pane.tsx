import type { ConfigurationChange } from '../../explain/trace/configuration-history.ts';
import type { PageSource } from '../page-source.ts';
import { useLoaded } from '../use-loaded.ts';
import { accountName, clockTime, plural } from '../words.ts';
import { DiffView } from './json-view.tsx';
import { PaneBar, Part } from './pane-bar.tsx';

export interface ConfigurationsPaneProps {
  readonly source: PageSource;
  readonly onOpen: (id: string) => void;
}

/** Changes of configurations of admission, the newest first. */
export function ConfigurationsPane({ source, onOpen }: ConfigurationsPaneProps) {
  const loaded = useLoaded(source.configurations);
  const changes = loaded.value?.toReversed();
  return (
    <main class="view">
      <PaneBar
        title="Configurations"
        about="Recorded writes to webhook configurations, policies and bindings, newest first."
        loaded={loaded}
        isLive={source.isLive}
      />
      {changes?.length === 0 && (
        <p class="empty">No recorded request changed a webhook configuration, policy or binding.</p>
      )}
      {changes && foldChanges(changes).map((run) => <Changes key={run[0]?.id} changes={run} onOpen={onOpen} />)}
    </main>
  );
}

/** Consecutive writes without a change are one list; every other write is alone. */
function foldChanges(changes: readonly ConfigurationChange[]): readonly (readonly ConfigurationChange[])[] {
  const runs: ConfigurationChange[][] = [];
  for (const change of changes) {
    const last = runs.at(-1);
    if (last?.every(isWithoutChange) && isWithoutChange(change)) last.push(change);
    else runs.push([change]);
  }
  return runs;
}

const isWithoutChange = ({ change, diff }: ConfigurationChange): boolean => change === 'changed' && diff.length === 0;

function Changes({
  changes,
  onOpen,
}: Pick<ConfigurationsPaneProps, 'onOpen'> & { readonly changes: readonly ConfigurationChange[] }) {
  const all = changes.map((change) => <Change key={change.id} change={change} onOpen={onOpen} />);
  return changes.every(isWithoutChange) ? (
    <Part title={`${plural(changes.length, 'write')} without a change`}>{() => all}</Part>
  ) : (
    <>{all}</>
  );
}

function Change({ change, onOpen }: { readonly change: ConfigurationChange; readonly onOpen: (id: string) => void }) {
  const { id, at, user, resource, name, diff } = change;
  const tones = { created: 'good', changed: 'quiet', deleted: 'bad' };
  const lines = diff.filter(({ sign }) => sign !== ' ').length;
  return (
    <details class={`card tone-${tones[change.change]}`} open={change.change === 'changed' && lines > 0}>
      <summary>
        <span class="card-name">{name}</span> <span class="badge">{change.change}</span>{' '}
        <span class="quiet">
          {resource} · by {accountName(user)} · <time dateTime={new Date(at).toISOString()}>{clockTime(at)}</time> ·{' '}
          {lines > 0
            ? plural(lines, 'line')
            : change.change === 'changed'
              ? 'no change'
              : 'its contents are not recorded'}
        </span>
      </summary>
      <p>
        <button type="button" class="link" onClick={() => onOpen(id)}>
          Show the request
        </button>
      </p>
      {diff.length > 0 && <DiffView lines={diff} />}
    </details>
  );
}
