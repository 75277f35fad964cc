import type { BytesAct, Case, RequestAct } from './case.ts';
import type { Clients } from './clients.ts';
import { runCommand } from './run-command.ts';
import { responseTimeoutMs } from './timeouts.ts';
import type { FuzzServer, LoopReport } from './fuzz-server.ts';
import type { FuzzWebhook } from './webhook.ts';

/** The result of one act. */
export interface Answer {
  /** 0: there was none. */
  readonly code: number;
  readonly text: string;
  /** `starved`: no response, but other processes had the processor. */
  readonly fate: 'answered' | 'cut' | 'silent' | 'starved' | 'unsendable' | 'polluted' | 'slow';
}

/** A response, and the method of its request. */
export interface Reply extends Answer {
  readonly method: string;
}

/** The result of a case: the responses of its acts, and the report of the probe. */
export interface CaseResult {
  readonly answers: readonly Reply[];
  readonly turn: LoopReport | undefined;
  readonly complaints: string;
  readonly ended: string;
}

/** Where cases are played. */
export interface TestBed {
  readonly subject: FuzzServer;
  readonly clients: Clients;
  readonly webhook: FuzzWebhook;
  readonly program: string;
  readonly nodeFlags?: readonly string[];
}

/** On a busy machine a missing response proves nothing: the webhook, in this process, and the server need processor time. */
async function sendAct({ clients, subject }: TestBed, act: RequestAct | BytesAct): Promise<Answer> {
  const before = subject.starvedMs();
  const answer = await clients.send(act);
  const isStarved = answer.fate === 'silent' && subject.starvedMs() - before > responseTimeoutMs / 4;
  return isStarved ? { ...answer, fate: 'starved' } : answer;
}

/** Plays the acts in sequence, then queries the probe. Commands are killed when the time is `over`. */
export async function runActs(stage: TestBed, acts: Case, over?: AbortSignal): Promise<CaseResult> {
  const answers: Reply[] = [];
  for (const act of acts) {
    if (act.act === 'answer') stage.webhook.answerWith(act);
    else if (act.act === 'folder') answers.push({ ...(await runCommand(stage, act, over)), method: '' });
    else answers.push({ ...(await sendAct(stage, act)), method: act.act === 'request' ? act.method : '' });
    if (stage.subject.ended() !== '') break;
  }
  const turn = await stage.subject.reportLoop().catch(() => undefined);
  return { answers, turn, complaints: stage.subject.takeErrors(), ended: stage.subject.ended() };
}
