import type { ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { areNearMissesRelevant, isWarningOrError } from '../../../explain/render/digest.ts';
import type { Tone } from '../../../explain/render/about-decision.ts';
import { createPage, type Paint } from '../../../explain/render/explain-page.ts';
import { modelOf, type TraceModel } from '../../../explain/render/model.ts';
import { maskTrace } from '../../../explain/trace/mask.ts';
import { durationText } from '../../../explain/trace/sentences.ts';
import { shortUser } from '../../../explain/trace/trace-summary.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { followSummaries, readTrace } from '../explain/trace-source.ts';
import { isQuietWrite } from '../requests/requests.ts';
import type { Io } from '../terminal/io.ts';

/** Prints a line for each write with a webhook or policy until the signal aborts. Rejects with ConfigError. */
export const followRequests = (
  access: ServerAccess,
  {
    after,
    signal,
    io,
    paint,
  }: { readonly after: number; readonly signal: AbortSignal; readonly io: Io; readonly paint: Paint },
): Promise<void> =>
  followSummaries(access, after, signal, async (summaries) => {
    for (const summary of summaries.filter((one) => !isQuietWrite(one))) {
      const lines = requestLines(await readTrace(access, summary.id), paint);
      if (lines !== '') io.out(lines);
    }
  });

/** A line about a write, its cause and its remedy below; '' when no webhook or policy has to do with it. */
export function requestLines(whole: Trace, paint: Paint): string {
  const model = modelOf(maskTrace(whole));
  const { verdict, request } = model;
  const point = mainPoint(model);
  if (point === undefined || (request.user.startsWith('system:') && point.tone === 'good')) return '';
  const page = createPage({ width: Infinity, paint });
  const object = [request.namespace, request.name || '(unnamed)'].filter((part) => part !== '').join('/');
  const what = `${request.verb} ${request.resource} ${request.resource === 'namespaces' ? request.name : object}`;
  const result = `${verdict.outcome} ${verdict.code}${verdict.dryRun ? ' (dry run)' : ''}`;
  const head = `${clockTime(whole.startedAt)} ${shortUser(request.user)} ${what} ${page.painted(point.tone, result)} in ${durationText(verdict.milliseconds)}`;
  page.item(`${head}: ${model.headline.text}`, undefined, 0);
  if (point.cause !== '') page.item(point.cause, undefined, 9);
  if (point.remedy !== '') page.item(`${page.painted('strong', 'hint:')} ${point.remedy}`, undefined, 9);
  return page.text();
}

interface MainPoint {
  readonly tone: Tone;
  /** What the headline does not say; empty for nothing. */
  readonly cause: string;
  readonly remedy: string;
}

/** undefined when no webhook or policy has to do with it. */
function mainPoint(model: TraceModel): MainPoint | undefined {
  const { verdict, headline, findings, headlines } = model;
  const finding = findings.find(isWarningOrError);
  const relevant = headlines.find(
    ({ about, name }) => name !== '' && (about === 'near-miss' ? areNearMissesRelevant(model) : about !== 'far-miss'),
  );
  if (finding === undefined && relevant === undefined) return undefined;
  const remedy = finding?.remedy ?? relevant?.hint ?? '';
  const { tone, text } = headline;
  if (verdict.outcome === 'refused')
    return { tone, cause: unlessRepeated(`client received: ${verdict.message}`, text), remedy };
  return finding || relevant === undefined || relevant.about === 'called'
    ? { tone, cause: '', remedy }
    : { tone: 'warn', cause: unlessRepeated(relevant.text, text), remedy };
}

const unlessRepeated = (cause: string, headline: string): string => (cause.endsWith(headline) ? '' : cause);

const clockTime = (time: number): string => new Date(time).toTimeString().slice(0, 8);
