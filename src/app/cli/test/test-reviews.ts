import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { readFlagFile } from '../../../adapters/config/read-files.ts';
import { bigintAsNumber } from '../../../machinery/json/json-writer.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { checkReply } from '../../../testing/record-replay/check-reply.ts';
import type { RecordedCall } from '../../../testing/record-replay/pick-call.ts';
import { type Destination, sendReview } from '../../../testing/record-replay/send-review.ts';
import { prettyOutcome, prettySummary } from '../../../testing/scenario/report/pretty.ts';
import { type TestRun, totalsOf } from '../../../testing/scenario/report/test-run.ts';
import { problemLines } from '../../../testing/scenario/read/problems.ts';
import { loadReviews } from '../../../testing/scenario/reviews/load-reviews.ts';
import { loadResponder, type ReviewReply, runReviews } from '../../../testing/scenario/reviews/run-reviews.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes, type Io } from '../terminal/io.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import type { TestOptions } from './test-flags.ts';
import { isLive, writeReports } from './test-reports.ts';

type CallReply = Awaited<ReturnType<typeof sendReview>>;
type SendReview = (review: JsonObject) => Promise<CallReply>;

/** `kadmit test FOLDER --call URL|SCRIPT`: sends all AdmissionReviews of a folder to one webhook. Rejects with ConfigError. */
export async function testReviews(
  paths: readonly string[],
  options: TestOptions,
  { io, readYaml }: { readonly io: Io } & Pick<CommandContext, 'readYaml'>,
): Promise<number> {
  const loading = loadReviews(paths);
  if (loading.outcome === 'unreadable') throw new ConfigError(problemLines(loading.problems).join('\n'));
  const send = await createSender(options);
  const startedAt = Date.now();
  const start = performance.now();
  const live = isLive(options.report);
  const outcomes: TestRun['outcomes'][number][] = [];
  for (const suite of loading.suites) {
    const outcome = await runReviews(suite, {
      now: () => performance.now(),
      send: (review) => sendAndCheck(review, send, readYaml),
    });
    outcomes.push(outcome);
    if (live) io.out(prettyOutcome(outcome, ownTerminal().paint));
  }
  const milliseconds = performance.now() - start;
  const run: TestRun = { startedAt, milliseconds, outcomes, unreadable: [], notRun: 0 };
  if (live) io.out(prettySummary(run, ownTerminal().paint));
  writeReports(run, options.report, io.out);
  return totalsOf(run).failed > 0 ? exitCodes.failed : exitCodes.fine;
}

async function createSender({ call, ca, insecure }: TestOptions): Promise<SendReview> {
  if (/^https?:\/\//.test(call) && URL.canParse(call)) {
    const destination: Destination = {
      url: new URL(call),
      ca: ca === '' ? '' : readFlagFile('--ca', ca),
      insecure,
      timeoutMs: 30_000,
    };
    return (review) => sendReview(destination, JSON.stringify(review, bigintAsNumber));
  }
  if (!existsSync(call) || extname(call) === '') {
    throw new ConfigError(`--call ${JSON.stringify(call)} is neither a URL nor the file of a script`);
  }
  const script = await loadResponder(call);
  if (script.outcome === 'unloadable') throw new ConfigError(`--call ${script.error}`);
  return async (review) => {
    const { code, contentType, body } = await script.respond(review);
    return { outcome: 'answered', code, contentType, body: new TextEncoder().encode(body) };
  };
}

/** The response, and its errors by the rules of kube-apiserver. */
async function sendAndCheck(
  review: JsonObject,
  send: SendReview,
  readYaml: CommandContext['readYaml'],
): Promise<ReviewReply> {
  const reply = await send(review);
  if (reply.outcome === 'failed') return { body: '', error: `no answer (${reply.phase}): ${reply.error}` };
  const body = new TextDecoder().decode(reply.body);
  const verdict = await checkReply(reply, toRecordedCall(review), readYaml);
  return { body, error: verdict.outcome === 'failed' ? verdict.error : '' };
}

/** As a call of a mutating webhook: a patch is allowed. */
const toRecordedCall = (review: JsonObject): RecordedCall => ({
  type: 'webhook',
  configuration: '',
  name: 'the webhook',
  phase: 'mutating',
  round: 0,
  index: 0,
  outcome: 'called',
  startedAt: 0,
  milliseconds: 0,
  review,
});
