import type { Case } from './case.ts';
import type { Exploration } from './explore.ts';
import type { Finding } from './find-problem.ts';
import { shrink } from './shrink.ts';
import { runCase } from './run-case.ts';

/** The smallest case that shows the problem on a fresh server; undefined when it depends on earlier cases. */
export async function minimiseCase(
  { openStage, shrinking }: Pick<Exploration, 'openStage' | 'shrinking'>,
  acts: Case,
  { fault }: Finding,
): Promise<Case | undefined> {
  let stage = await openStage();
  let isSpoilt = false;
  const shows = async (smaller: Case): Promise<boolean> => {
    if (isSpoilt) {
      await stage.close();
      stage = await openStage();
    }
    const { finding } = await runCase(stage, smaller);
    isSpoilt = finding?.fault === 'polluted prototype' || stage.subject.ended() !== '';
    return finding?.fault === fault;
  };
  try {
    return (await shows(acts)) ? await shrink(acts, shows, shrinking) : undefined;
  } finally {
    await stage.close();
  }
}
