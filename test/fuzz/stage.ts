import type { Ground, Target } from './case.ts';
import { openClients } from './clients.ts';
import { play, type Stage } from './play.ts';
import { startSubject, type SubjectOptions } from './subject.ts';
import { allowing, startWebhook } from './webhook.ts';

/** A stage that can be closed. */
export interface OpenStage extends Stage {
  readonly ground: Ground;
  readonly close: () => Promise<void>;
}

/** A fresh server with the environment of the target. */
export async function openStage(target: Target, options: SubjectOptions): Promise<OpenStage> {
  const webhook = await startWebhook();
  const serving = target.serving?.(webhook.ground);
  const subject = await startSubject({ ...options, ...(serving && { serving }) });
  const clients = openClients(subject);
  const stage: OpenStage = {
    subject,
    webhook,
    clients,
    program: options.program,
    nodeFlags: options.nodeFlags ?? [],
    ground: webhook.ground,
    close: async () => {
      clients.close();
      webhook.close();
      await subject.stop();
    },
  };
  webhook.answerWith(allowing);
  await play(stage, target.before?.(webhook.ground) ?? []);
  return stage;
}
