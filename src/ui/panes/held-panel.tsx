import { useCallback, useState } from 'preact/hooks';
import { asObject, asString, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import { resourceText } from '../../explain/trace/trace-summary.ts';
import type { BreaksSource, BreaksState, HeldRequest } from '../page-source.ts';
import { useLoaded, useReload } from '../use-loaded.ts';
import { clockTime, objectName } from '../words.ts';
import { JsonView } from './json-view.tsx';
import { Part } from './pane-bar.tsx';

export interface Breaks {
  readonly breaks: BreaksSource;
  readonly state: BreaksState;
  /** Whether the panel is open. */
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

/** Loads again when `version`, the number of changes, grows. undefined: the source has no breakpoints. */
export function useBreaks(breaks: BreaksSource | undefined, version: number, reveal: boolean): Breaks | undefined {
  const load = useCallback(() => breaks?.state(reveal) ?? Promise.resolve(null), [breaks, reveal]);
  const { value: state, again } = useLoaded<BreaksState | null>(load);
  useReload(version, again);
  const [isOpen, onToggle] = useState(false);
  return breaks && state ? { breaks, state, isOpen, onToggle } : undefined;
}

export interface HeldPanelProps extends Breaks {
  /** Names of webhooks to choose from. */
  readonly webhooks: readonly string[];
}

/** Breakpoints and paused requests, which can continue or get another response. */
export function HeldPanel({ breaks, state, webhooks, isOpen, onToggle }: HeldPanelProps) {
  const { held, breaks: points } = state;
  return (
    <details class="held" open={isOpen} onToggle={(event) => onToggle(event.currentTarget.open)}>
      <summary role="status">
        {held.length > 0 ? <strong>{renderHeldStatus(held)}</strong> : 'Breakpoints'}
        <span class="quiet"> {points.length === 0 ? 'none' : points.map(pointText).join(', ')}</span>
      </summary>
      <BreakSwitches breaks={breaks} points={points} webhooks={webhooks} />
      {held.map((request) => (
        <HeldCard key={request.id} request={request} onResume={(action) => breaks.resume(request.id, action)} />
      ))}
    </details>
  );
}

const renderHeldStatus = (held: readonly HeldRequest[]): string =>
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
  const { verb, resource, ...object } = heldSubject(review);
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
        <strong>
          {verb} {resource} {objectName({ ...object, resource })}
        </strong>{' '}
        is held {moment} <strong>{webhook}</strong>
        <span class="quiet">
          {' '}
          of {configuration} since {clockTime(since)}; the time of the request stands still
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
    <Part title="Review">{() => <JsonView value={review} />}</Part>
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

/** What the request is about, as in the list. */
export function heldSubject(review: JsonObject) {
  const { namespace, name, operation, resource, subResource, userInfo } = asObject(review['request']);
  const { group, resource: plural } = asObject(resource);
  return {
    verb: asString(operation).toLowerCase(),
    resource: resourceText({ group: asString(group), resource: asString(plural), subresource: asString(subResource) }),
    namespace: asString(namespace),
    name: asString(name),
    user: asString(asObject(userInfo)['username']),
  };
}
