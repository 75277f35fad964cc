import type { RandomChoices } from '../../harness/random-choices.ts';
import { chainsaw, gator, kat, kyverno, review } from '../../harness/importable-tests.ts';
import { bytesOf, type FolderAct, type Target } from '../case.ts';
import { damageDocument } from '../damage-document.ts';

/** A run costs half a second, most of it the start. */
const folders = 8;

/** Tests of other tools for `kadmit import`: the generated scenarios are run too. */
export const importedTests: Target = {
  name: 'import',
  generate: (random) => [folder(random)],
};

function folder(random: RandomChoices): FolderAct {
  const files = Array.from({ length: folders }, (_none, index) => format(random, `f${index}`)).flat();
  const run = random.chance(0.5) ? ['--run=false'] : [];
  return { act: 'folder', files: Object.fromEntries(files), command: ['import', '.', '--out', 'out', ...run] };
}

/** The files of one test, of which one or two are damaged. */
function format(random: RandomChoices, place: string): readonly (readonly [string, Uint8Array])[] {
  const files = Object.entries(random.pick([kyverno, gator, kat, chainsaw, review]));
  const share = 1.5 / files.length;
  return files.map(([name, text]) => [
    `${place}/${name}`,
    name.endsWith('.txt') || name.includes('policy') || !random.chance(share)
      ? bytesOf(text)
      : damageDocument(random, firstOf(text)),
  ]);
}

const firstOf = (text: string): string => text.split('---\n')[0] ?? '';
