import { useCallback, useEffect, useState } from 'preact/hooks';
import type { BreaksSource, BreaksState, HeldRequest } from '../page-source.ts';
import { useLoaded } from '../use-loaded.ts';
import { HeldCard } from './held-card.tsx';

export interface HeldPanelProps {
  readonly breaks: BreaksSource;
  /** Counts the changes of what is held. */
  readonly version: number;
  readonly reveal: boolean;
  /** Names of webhooks to choose from. */
  readonly webhooks: readonly string[];
}

/** The webhooks at which requests are held, and the requests that are: each can go on, or get another answer. */
export function HeldPanel({ breaks, version, reveal, webhooks }: HeldPanelProps) {
  const load = useCallback(() => breaks.state(reveal), [breaks, reveal]);
  const { value, again } = useLoaded<BreaksState | null>(load);
  useEffect(() => {
    if (version > 0) again();
  }, [version, again]);
  const [isOpen, setOpen] = useState(false);
  if (!value) return null;
  const { held, breaks: points } = value;
  return (
    <details class="held" open={isOpen || held.length > 0} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary role="status">
        {held.length > 0 ? <strong>{heldText(held)}</strong> : 'Breaks'}
        <span class="quiet">
          {' '}
          {points.length === 0 ? 'none: no request is held' : points.map(pointText).join(', ')}
        </span>
      </summary>
      <BreakSwitches breaks={breaks} points={points} webhooks={webhooks} />
      {held.map((request) => (
        <HeldCard key={request.id} request={request} onResume={(action) => breaks.resume(request.id, action)} />
      ))}
    </details>
  );
}

const heldText = (held: readonly HeldRequest[]): string =>
  held.length === 1 ? '1 request is held' : `${held.length} requests are held`;

const pointText = ({ webhook, moment }: BreaksState['breaks'][number]): string => `${moment} ${webhook}`;

interface BreakSwitchesProps {
  readonly breaks: BreaksSource;
  readonly points: BreaksState['breaks'];
  readonly webhooks: readonly string[];
}

function BreakSwitches({ breaks, points, webhooks }: BreakSwitchesProps) {
  const [name, setName] = useState('');
  const [moment, setMoment] = useState('before');
  const [problem, setProblem] = useState('');
  const add = (event: Event): void => {
    event.preventDefault();
    void breaks.switch('on', `${name.trim()}:${moment}`).then(setProblem);
  };
  return (
    <form class="break-switches" onSubmit={add}>
      {points.map((point) => (
        <button
          key={pointText(point)}
          type="button"
          class="plain"
          title="Switch this break off; what is held stays so"
          onClick={() => void breaks.switch('off', `${point.webhook}:${point.moment}`).then(setProblem)}
        >
          {pointText(point)} ✕
        </button>
      ))}
      <label>
        {'Hold requests '}
        <select value={moment} aria-label="When" onChange={(event) => setMoment(event.currentTarget.value)}>
          <option value="before">before</option>
          <option value="after">after</option>
          <option value="both">before and after</option>
        </select>
      </label>
      <input
        list="break-webhooks"
        placeholder="name of a webhook"
        aria-label="Webhook"
        required
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <datalist id="break-webhooks">
        {webhooks.map((webhook) => (
          <option key={webhook} value={webhook} />
        ))}
      </datalist>
      <button type="submit" class="plain">
        Hold
      </button>
      {problem !== '' && <p class="warning">{problem}</p>}
    </form>
  );
}
