import type { ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { isWarningOrError } from '../../../explain/findings/digest.ts';
import { createPage, type Paint } from '../../../explain/render/explain-page.ts';
import { modelOf, type TraceModel } from '../../../explain/render/model.ts';
import { maskTrace } from '../../../explain/trace/mask.ts';
import { durationText } from '../../../explain/trace/sentences.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { followSummaries, traceOf } from '../explain/trace-source.ts';
import { shortUser } from '../requests/render-requests.ts';
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
      const lines = requestLines(await traceOf(access, summary.id), paint);
      if (lines !== '') io.out(lines);
    }
  });

/** A line about a write, and its remedy in a second one; '' when no webhook or policy has to do with it. */
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
  page.item(`${head}: ${point.text}`, undefined, 0);
  if (point.remedy !== '') page.item(`${page.painted('strong', 'hint:')} ${point.remedy}`, undefined, 9);
  return page.text();
}

interface MainPoint {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly text: string;
  readonly remedy: string;
}

/** The denial, the first finding, or what the webhooks did; undefined when no webhook or policy has to do with it. */
function mainPoint({ verdict, findings, headlines, passes }: TraceModel): MainPoint | undefined {
  const finding = findings.find(isWarningOrError);
  // A webhook for creates is not news at each update.
  const headline = headlines.find(
    ({ about, name }) => name !== '' && (about === 'near-miss' ? verdict.code === 201 : about !== 'far-miss'),
  );
  if (finding === undefined && headline === undefined) return undefined;
  const remedy = finding?.remedy ?? headline?.hint ?? '';
  if (verdict.outcome === 'refused') return { tone: 'bad', text: verdict.message, remedy };
  if (finding) return { tone: 'warn', text: finding.title, remedy };
  if (headline && headline.about !== 'called') return { tone: 'warn', text: headline.text, remedy };
  return { tone: 'good', text: callsText(passes), remedy: '' };
}

const mostCalls = 3;

/** `a.example.com allowed in 3.0 ms, added label x; b.example.com allowed in 2.0 ms`. */
function callsText(passes: TraceModel['passes']): string {
  const all = passes
    .flatMap(({ decisions }) => decisions)
    .filter(({ type, outcome, round }) => type !== 'plugin' && outcome !== 'skipped' && round === 0);
  const shown = all.slice(0, mostCalls).map(({ name, sentence }) => `${name} ${sentence}`);
  return [...shown, ...(all.length > mostCalls ? [`${all.length - mostCalls} more`] : [])].join('; ');
}

const clockTime = (time: number): string => new Date(time).toTimeString().slice(0, 8);
