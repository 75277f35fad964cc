import { isUpstreamFailure } from './upstream-failures.ts';
import type { Case } from './case.ts';
import { sizeOf } from './payloads.ts';
import type { CaseResult, Reply } from './run-acts.ts';

export type Fault = 'crash' | 'stall' | 'unexpected 5xx' | 'bug' | 'polluted prototype' | 'no answer' | 'leak';

/** The problem as a sentence. */
export interface Finding {
  readonly fault: Fault;
  readonly detail: string;
}

/** No request may block the event loop for longer, in milliseconds of processor time. */
export const stallMs = Number(process.env['FUZZ_STALL_MS'] ?? 1000);

/** The worst problem of a case. */
export function findProblem(acts: Case, { answers, turn, complaints, ended }: CaseResult): Finding | undefined {
  if (ended !== '') return { fault: 'crash', detail: `${ended}\n${lastLines(complaints)}` };
  if (turn === undefined) return { fault: 'stall', detail: 'the loop does not turn any more' };
  if (turn.polluted.length > 0) return { fault: 'polluted prototype', detail: turn.polluted.join(', ') };
  const wrong = answers.map(findProblemInReply).find((finding) => finding !== undefined);
  if (wrong) return wrong;
  const stack = findStackTrace(complaints);
  if (stack !== undefined) return { fault: 'bug', detail: stack };
  if (turn.worstMs <= stallMs) return undefined;
  return { fault: 'stall', detail: `${turn.worstMs.toFixed(0)} ms of processor time, ${sizeOf(acts)} bytes sent` };
}

function findProblemInReply({ method, code, text, fate }: Reply): Finding | undefined {
  if (fate === 'silent') return { fault: 'no answer', detail: 'the client has waited for nothing' };
  if (fate === 'cut' && text.startsWith('kadmit ')) return { fault: 'crash', detail: lastLines(text) };
  if (fate === 'polluted') return { fault: 'polluted prototype', detail: text };
  if (fate === 'slow') return { fault: 'stall', detail: text };
  const stack = findStackTrace(text);
  if (stack !== undefined) return { fault: 'bug', detail: stack };
  if (code < 500 || isUpstreamFailure(method, code, text)) return undefined;
  return { fault: 'unexpected 5xx', detail: `${code} ${text.slice(0, 600)}` };
}

/** The line of standard error with an exception of kadmit. */
function findStackTrace(text: string): string | undefined {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => /^\s+at .*(?:file:|node:)/.test(line));
  return at < 0 ? undefined : lines.slice(Math.max(0, at - 2), at + 4).join('\n');
}

const lastLines = (text: string): string => text.split('\n').slice(-12).join('\n').slice(-2000);
