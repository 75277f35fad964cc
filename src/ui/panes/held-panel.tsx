import { useCallback, useEffect, useState } from 'preact/hooks';
import { asObject, asString, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import type { BreaksSource, BreaksState, HeldRequest } from '../page-source.ts';
import { useLoaded } from '../use-loaded.ts';
import { clockTime } from '../words.ts';
import { JsonView } from './json-view.tsx';
import { Part } from './pane-bar.tsx';

export interface HeldPanelProps {
  readonly breaks: BreaksSource;
  /** Counts changes of paused requests. */
  readonly version: number;
  readonly reveal: boolean;
  /** Names of webhooks to choose from. */
  readonly webhooks: readonly string[];
}

/** Breakpoints and paused requests, which can continue or get another response. */
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

interface HeldCardProps {
  readonly request: HeldRequest;
  /** Resolves with the problem, '' for none. */
  readonly onResume: (action: JsonObject) => Promise<string>;
}

/** A request paused before or after a webhook: its review or response, and how to continue. */
function HeldCard({ request, onResume }: HeldCardProps) {
  const { webhook, configuration, moment, since, review, answer } = request;
  const [text, setText] = useState(() => JSON.stringify(answer?.response ?? { allowed: true }, null, 2));
  const [problem, setProblem] = useState('');
  const resume = (action: JsonObject): void => void onResume(action).then(setProblem);
  const answerWith = (): void => {
    const reading = readResponse(text);
    if (typeof reading === 'string') setProblem(reading);
    else resume({ action: 'answer', response: reading });
  };
  return (
    <div class="card tone-warn held-card">
      <p>
        <strong>{subjectOf(review)}</strong> is held {moment} <strong>{webhook}</strong>
        <span class="quiet">
          {' '}
          of {configuration} since {clockTime(since)}; its time stands still
        </span>
      </p>
      <p class="held-actions">
        <button type="button" class="plain" onClick={() => resume({ action: 'continue' })}>
          Continue
        </button>{' '}
        <button type="button" class="plain" onClick={answerWith}>
          Send this answer
        </button>
      </p>
      {problem !== '' && (
        <p class="warning" role="alert">
          {problem}
        </p>
      )}
      <label class="quiet" for={`answer-${request.id}`}>
        {moment === 'before' ? 'Answer in place of the webhook' : 'Answer, to be edited'}
      </label>
      <textarea
        id={`answer-${request.id}`}
        rows={Math.min(14, text.split('\n').length + 1)}
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Exchange request={request} />
    </div>
  );
}

/** The review, and after the call the response. */
const Exchange = ({ request: { review, answer } }: Pick<HeldCardProps, 'request'>) => (
  <>
    {answer?.error !== undefined && <p class="warning">the call failed: {answer.error}</p>}
    <Part title="Review" isOpen>
      {() => <JsonView value={review} />}
    </Part>
    {answer?.body !== undefined && (
      <Part title={`Answer ${answer.code}`}>{() => <JsonView value={answer.body} />}</Part>
    )}
  </>
);

/** The typed response, or its error. */
function readResponse(text: string): JsonObject | string {
  if (text.includes('‹masked')) return 'values of Secrets are masked here: show Secrets first, then edit the response';
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : 'the answer must be a JSON object';
  } catch (error) {
    return `the answer is no JSON: ${error instanceof Error ? error.message : ''}`;
  }
}

/** `CREATE pods shop/web`. */
function subjectOf(review: JsonObject): string {
  const request = asObject(review['request']);
  const { namespace, name, operation, resource } = request;
  const where = [asString(namespace), asString(name) || '(unnamed)'].filter(Boolean).join('/');
  return `${asString(operation)} ${asString(asObject(resource)['resource'])} ${where}`;
}
