import { useState } from 'preact/hooks';
import { asObject, asString, isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { HeldRequest } from '../page-source.ts';
import { clockTime } from '../words.ts';
import { JsonView } from './json-view.tsx';
import { Part } from './part.tsx';

export interface HeldCardProps {
  readonly request: HeldRequest;
  /** Resolves with what is wrong; '' when nothing is. */
  readonly onResume: (action: JsonObject) => Promise<string>;
}

/** A request that waits before or after a webhook: what it asks or was answered, and how it shall go on. */
export function HeldCard({ request, onResume }: HeldCardProps) {
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
      <Heard request={request} />
    </div>
  );
}

/** What was sent, and what came back if the call has been made. */
const Heard = ({ request: { review, answer } }: Pick<HeldCardProps, 'request'>) => (
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

/** The response that was typed, or what is wrong with it. */
function readResponse(text: string): JsonObject | string {
  if (text.includes('‹masked')) return 'values of Secrets are masked here: show Secrets first, then edit the answer';
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
