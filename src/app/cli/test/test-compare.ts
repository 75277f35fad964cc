import { compareScenario } from '../../../testing/scenario/compare.ts';
import type { Comparison } from '../../../testing/scenario/compare.ts';
import { comparisonText } from '../../../testing/scenario/compare-text.ts';
import type { RunPlan } from '../../../testing/scenario/plan-runs.ts';
import type { Worlds } from '../../../testing/scenario/world.ts';
import { exitCodes } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { createDocumentWriter } from './test-document.ts';
import type { TestOptions } from './test-options.ts';
import { openTarget, withTarget } from './test-target.ts';

/** `kadmit test --compare-with KUBECONFIG`: does the same here and there, and says where the answers differ. */
export async function compareAll(
  plan: RunPlan,
  { options, io, worlds }: { readonly options: TestOptions; readonly io: Io; readonly worlds: Worlds },
): Promise<number> {
  const target = await openTarget('--compare-with', options.compareWith, options.stubAddress);
  return withTarget(target, io, async (there) => {
    const writer = createDocumentWriter(comparisonText, { options, io, plan });
    const comparisons: Comparison[] = [];
    for (const { scenario, combination } of plan.runs) {
      const comparison = await compareScenario(scenario, { here: worlds, there, combination });
      comparisons.push(comparison);
      writer.print(comparison);
    }
    writer.finish();
    if (plan.unreadable.length > 0) return exitCodes.usage;
    return comparisons.every(({ outcome }) => outcome === 'same') ? exitCodes.fine : exitCodes.failed;
  });
}
