// npm run races -- --seed N --acts M [--planted FAULT]: plays random writers, see CONTRIBUTING.md. Exit code 1 on a finding.
import { parseArgs } from 'node:util';
import { plantedFaults } from './race-store.ts';
import { runRaces } from './run-races.ts';

const usage = `usage: npm run races -- [--seed N] [--acts M] [--planted ${plantedFaults.join('|')}]`;

const print = (text: string): boolean => process.stdout.write(`${text}\n`);

const every = 10_000;
let printed = 0;
const progress = (acts: number): void => {
  if (acts - printed < every) return;
  printed = acts;
  process.stderr.write(`${acts} acts\n`);
};

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    acts: { type: 'string', default: '10000' },
    planted: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const planted = plantedFaults.find((fault) => fault === values.planted);
const [seed, acts] = [Number(values.seed), Number(values.acts)];
const isBad = !Number.isSafeInteger(seed) || !Number.isSafeInteger(acts) || planted !== values.planted;
if (values.help || isBad) {
  print(usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  const { finding, ...outcome } = await runRaces({ seed, acts, progress, ...(planted ? { planted } : {}) });
  print(
    `seed ${seed}: ${outcome.acts} acts, ${outcome.acknowledged} acknowledged, ${outcome.repeated} admitted more than once`,
  );
  if (finding) print([`finding after ${finding.acts} acts: ${finding.fault}`, ...finding.story].join('\n'));
  process.exitCode = finding ? 1 : 0;
}
