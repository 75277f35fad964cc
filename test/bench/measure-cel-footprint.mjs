import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from './table.mjs';

const child = fileURLToPath(new URL('./cel-footprint.mjs', import.meta.url));
const runs = 5;

function once(what) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--expose-gc', child, what], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

const inTurn = (what) => median(Array.from({ length: runs }, () => once(what)));

/** What CEL costs before anything is evaluated: the time to load the engine, and what a compiled expression keeps. */
export function measureCelFootprint() {
  const size = once('size');
  return [
    { what: 'cel: loading the engine', figure: `${inTurn('load').toFixed(0)} ms` },
    {
      what: 'cel: a compiled expression',
      figure: `${(size / 1024).toFixed(1)} KiB`,
      goal: '< 20 KiB',
      met: size < 20 * 1024,
    },
  ];
}
