import type { TargetEnvironment, Target } from './case.ts';
import { openClients } from './clients.ts';
import { runActs, type TestBed } from './run-acts.ts';
import { startFuzzServer, type FuzzServerOptions } from './fuzz-server.ts';
import { allowing, startWebhook } from './webhook.ts';

/** A stage that can be closed. */
export interface OpenTestBed extends TestBed {
  readonly ground: TargetEnvironment;
  readonly close: () => Promise<void>;
}

/** A fresh server with the environment of the target. */
export async function openTestBed(target: Target, options: FuzzServerOptions): Promise<OpenTestBed> {
  const webhook = await startWebhook();
  const serving = target.serving?.(webhook.ground);
  const subject = await startFuzzServer({ ...options, ...(serving && { serving }) });
  const clients = openClients(subject);
  const stage: OpenTestBed = {
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
  await runActs(stage, target.before?.(webhook.ground) ?? []);
  return stage;
}
