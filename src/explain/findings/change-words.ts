import type { FieldChange } from '../trace/object-changes.ts';
import { fieldWords, listWords } from './field-words.ts';

/** `added container late and label team, changed image of container web`; `changed nothing`. */
export function changeWords(changes: readonly FieldChange[]): string {
  const kinds = [
    { verb: 'added', of: changes.filter((one) => one.before === undefined) },
    { verb: 'changed', of: changes.filter((one) => one.before !== undefined && one.after !== undefined) },
    { verb: 'removed', of: changes.filter((one) => one.after === undefined) },
  ];
  const found = kinds.filter(({ of }) => of.length > 0);
  if (found.length === 0) return 'changed nothing';
  return found.map(({ verb, of }) => `${verb} ${listWords(of.map(({ path }) => fieldWords(path)))}`).join(', ');
}
