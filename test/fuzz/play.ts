import type { BytesAct, Case, RequestAct } from './case.ts';
import type { Clients } from './clients.ts';
import { playFolder } from './play-folder.ts';
import { silenceMs } from './waiting.ts';
import type { Subject, Turn } from './subject.ts';
import type { AnsweringWebhook } from './webhook.ts';

/** What came of one act. */
export interface Answer {
  /** 0: there was none. */
  readonly code: number;
  readonly text: string;
  /** `starved`: nothing was heard, but the machine gave the processor to others. */
  readonly fate: 'answered' | 'cut' | 'silent' | 'starved' | 'unsendable' | 'polluted' | 'slow';
}

/** An answer, and the method of the request that it is for. */
export interface Reply extends Answer {
  readonly method: string;
}

/** What a case came to: an answer for each act that has one, and what the probe saw. */
export interface Played {
  readonly answers: readonly Reply[];
  readonly turn: Turn | undefined;
  readonly complaints: string;
  readonly ended: string;
}

/** Where cases are played. */
export interface Stage {
  readonly subject: Subject;
  readonly clients: Clients;
  readonly webhook: AnsweringWebhook;
  readonly program: string;
  readonly nodeFlags?: readonly string[];
}

/** On a busy machine silence is nothing: the webhook, in this process, and the server must have had their turns. */
async function sent({ clients, subject }: Stage, act: RequestAct | BytesAct): Promise<Answer> {
  const before = subject.starvedMs();
  const answer = await clients.send(act);
  const isStarved = answer.fate === 'silent' && subject.starvedMs() - before > silenceMs / 4;
  return isStarved ? { ...answer, fate: 'starved' } : answer;
}

/** Plays the acts one after the other, then asks the probe. Commands are ended when the time is `over`. */
export async function play(stage: Stage, acts: Case, over?: AbortSignal): Promise<Played> {
  const answers: Reply[] = [];
  for (const act of acts) {
    if (act.act === 'answer') stage.webhook.answerWith(act);
    else if (act.act === 'folder') answers.push({ ...(await playFolder(stage, act, over)), method: '' });
    else answers.push({ ...(await sent(stage, act)), method: act.act === 'request' ? act.method : '' });
    if (stage.subject.ended() !== '') break;
  }
  const turn = await stage.subject.turn().catch(() => undefined);
  return { answers, turn, complaints: stage.subject.complaints(), ended: stage.subject.ended() };
}
