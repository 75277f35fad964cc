import { useState } from 'preact/hooks';
import type { ChainSource, WebhookMapping } from '../page-source.ts';
import { useLoaded } from '../use-loaded.ts';
import { Part } from './pane-bar.tsx';

export interface MappingsPanelProps {
  readonly chain: ChainSource;
  /** `NAMESPACE/NAME` of the Services of webhooks. */
  readonly services: readonly string[];
  readonly onChanged: () => void;
}

/** The addresses of Services and hosts of webhooks, which can be changed. */
export function MappingsPanel({ chain, services, onChanged }: MappingsPanelProps) {
  const { value: mappings = [], problem, again } = useLoaded(chain.mappings);
  const [wrong, setWrong] = useState('');
  const send = async (change: { readonly set: string } | { readonly remove: string }): Promise<void> => {
    const answer = await chain.map(change);
    setWrong(answer);
    if (answer !== '') return;
    again();
    onChanged();
  };
  return (
    <Part
      title={
        <>
          Mappings{' '}
          <span class="quiet">
            {mappings.length === 0
              ? 'none: each webhook is called at its configured address'
              : mappings.map(({ from }) => from).join(', ')}
          </span>
        </>
      }
    >
      {() => (
        <div class="mappings">
          {(wrong || problem) !== '' && (
            <p class="warning" role="alert">
              {wrong || problem}
            </p>
          )}
          <ul>
            {mappings.map((mapping) => (
              <MappingRow key={mapping.from} mapping={mapping} onRemove={() => void send({ remove: mapping.from })} />
            ))}
          </ul>
          <MappingForm services={services} onSet={(set) => void send({ set })} />
        </div>
      )}
    </Part>
  );
}

const MappingRow = ({ mapping, onRemove }: { readonly mapping: WebhookMapping; readonly onRemove: () => void }) => (
  <li>
    <code>{mapping.from}</code> → <code>{mapping.url}</code>
    {mapping.program !== undefined && <span class="quiet"> {mapping.program}</span>}{' '}
    <button type="button" class="plain" aria-label={`Remove the mapping of ${mapping.from}`} onClick={onRemove}>
      ✕
    </button>
  </li>
);

interface MappingFormProps {
  readonly services: readonly string[];
  readonly onSet: (mapping: string) => void;
}

function MappingForm({ services, onSet }: MappingFormProps) {
  const [from, setFrom] = useState('');
  const [url, setUrl] = useState('');
  return (
    <form
      class="break-switches"
      onSubmit={(event) => {
        event.preventDefault();
        onSet(`${from.trim()}=${url.trim()}`);
      }}
    >
      <input
        list="mapped-services"
        aria-label="Service or host"
        placeholder={services[0] ?? 'NAMESPACE/SERVICE'}
        title="NAMESPACE/SERVICE[:PORT], NAMESPACE/*, * for every Service, or https://HOST[:PORT]"
        required
        value={from}
        onInput={({ currentTarget: { value } }) => setFrom(value)}
      />
      <datalist id="mapped-services">
        {services.map((service) => (
          <option key={service} value={service} />
        ))}
      </datalist>
      {' → '}
      <input
        aria-label="Where it listens"
        placeholder="https://127.0.0.1:8443"
        required
        value={url}
        onInput={({ currentTarget: { value } }) => setUrl(value)}
      />
      <button type="submit" class="plain">
        Add the mapping
      </button>
    </form>
  );
}
