import { outageText } from '../../../testing/scenario/outage/outage-text.ts';
import type { OutageReport } from '../../../testing/scenario/outage/report.ts';
import { runOutage } from '../../../testing/scenario/outage/run-outage.ts';
import type { RunPlan } from '../../../testing/scenario/plan-runs.ts';
import type { Worlds } from '../../../testing/scenario/world.ts';
import { exitCodes } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { createDocumentWriter } from './test-document.ts';
import type { TestOptions } from './test-options.ts';

/** `kadmit test --outage`: takes the backends of each scenario's webhooks down, and says whether they can come back. */
export async function outageOfAll(
  plan: RunPlan,
  { options, io, worlds }: { readonly options: TestOptions; readonly io: Io; readonly worlds: Worlds },
): Promise<number> {
  const writer = createDocumentWriter(outageText, { options, io, plan });
  const reports: OutageReport[] = [];
  for (const run of plan.runs) {
    const report = await runOutage(run, worlds);
    reports.push(report);
    writer.print(report);
  }
  writer.finish();
  if (plan.unreadable.length > 0) return exitCodes.usage;
  return reports.every(({ outcome }) => outcome === 'recovers') ? exitCodes.fine : exitCodes.failed;
}
