import type { ConfigurationChange } from '../../explain/trace/configuration-history.ts';
import type { PageSource } from '../page-source.ts';
import { useLoaded } from '../use-loaded.ts';
import { clockTime, plural } from '../words.ts';
import { DiffView } from './json-view.tsx';
import { PaneBar } from './pane-bar.tsx';

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
        about="Every write to webhook configurations, policies and bindings that is still recorded, the newest first."
        loaded={loaded}
        isLive={source.isLive}
      />
      {changes?.length === 0 && <p class="empty">No write to a configuration is among the recorded requests.</p>}
      {changes?.map((change) => (
        <Change key={change.id} change={change} onOpen={onOpen} />
      ))}
    </main>
  );
}

function Change({ change, onOpen }: { readonly change: ConfigurationChange; readonly onOpen: (id: string) => void }) {
  const { id, at, user, resource, name, diff } = change;
  const tones = { created: 'good', changed: 'warn', deleted: 'bad' };
  const lines = diff.filter(({ sign }) => sign !== ' ').length;
  return (
    <details class={`card tone-${tones[change.change]}`} open={change.change === 'changed'}>
      <summary>
        <span class="card-name">{name}</span> <span class="badge">{change.change}</span>{' '}
        <span class="quiet">
          {resource} · by {user} · <time dateTime={new Date(at).toISOString()}>{clockTime(at)}</time> ·{' '}
          {lines > 0
            ? plural(lines, 'line')
            : change.change === 'changed'
              ? 'nothing changed'
              : 'what it held is not recorded'}
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
