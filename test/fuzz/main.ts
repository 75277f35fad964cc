// npm run fuzz [-- --help]: sends hostile input to a real server until the time is over. Exit code 1 when the server
// crashed, stalled, responded with a 5xx that kube-apiserver does not have, changed a prototype, did not respond or leaked.
import { describeFinding } from './describe-problem.ts';
import { explore, type ExplorationResult, addResults } from './explore.ts';
import { type FuzzOptions, readOptions, usage } from './options.ts';
import { openTestBed } from './test-bed.ts';
import { targets } from './targets.ts';

/** Lifetime of a server; then the next target gets a fresh one. */
const maxRoundMs = 120_000;

async function fuzz(options: FuzzOptions): Promise<boolean> {
  const { seed, onlyCase, before } = options;
  const chosen = targets.filter(({ name }) => options.targets.length === 0 || options.targets.includes(name));
  if (chosen.length === 0) throw new Error(`there are the targets ${targets.map(({ name }) => name).join(', ')}`);
  console.log(`seed ${seed}: ${chosen.map(({ name }) => name).join(', ')}`);
  const share = (options.seconds * 1000) / chosen.length;
  const rounds = onlyCase === undefined ? Math.ceil(share / maxRoundMs) : 1;
  const totals = new Map<string, ExplorationResult>();
  for (let round = 0; round < rounds; round += 1) {
    for (const target of chosen) {
      const total = totals.get(target.name);
      const explored = await explore({
        target,
        seed,
        openStage: () => openTestBed(target, { program: options.program }),
        maxFindings: 5,
        shrinking: { tries: 120, milliseconds: 12_000 },
        closeMs: 12_000,
        ...(onlyCase === undefined
          ? { milliseconds: share / rounds, firstCase: total?.cases ?? 0, maxCases: Infinity }
          : {
              milliseconds: Infinity,
              firstCase: Math.max(0, onlyCase - before),
              maxCases: Math.min(before, onlyCase) + 1,
            }),
      });
      for (const found of explored.found) console.log(describeFinding(found, seed));
      totals.set(target.name, total ? addResults(total, explored) : explored);
    }
  }
  return report(totals, seed);
}

function report(totals: ReadonlyMap<string, ExplorationResult>, seed: number): boolean {
  console.log(
    `\n${'target'.padEnd(12)}${'cases'.padStart(9)}${'acts'.padStart(10)}${'worst loop delay'.padStart(19)}  found`,
  );
  for (const [name, { cases, acts, worstMs, found }] of totals) {
    const columns = [String(cases).padStart(9), String(acts).padStart(10), `${worstMs.toFixed(1)} ms`.padStart(19)];
    console.log(`${name.padEnd(12)}${columns.join('')}  ${found.length}`);
  }
  const count = [...totals.values()].reduce((all, { found }) => all + found.length, 0);
  console.log(`\nLoop delay is processor time of the server's main thread. ${count} found with seed ${seed}.`);
  return count === 0;
}

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(usage);
} else {
  try {
    process.exitCode = (await fuzz(readOptions(args))) ? 0 : 1;
  } catch (error) {
    console.error(error);
    process.exitCode = 2;
  }
}
