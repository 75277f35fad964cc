import { fieldWords, listWords } from './field-words.ts';
import type { Habit } from './habits.ts';
import type { LateItem } from './late-items.ts';
import { pathText } from '../trace/field-path.ts';

/** `container late has no env REGION, which container web was given`. */
export function givenText({ added, lacks }: LateItem): string {
  const [first] = lacks;
  const item = fieldWords(added.change.path);
  if (first === undefined) return item;
  const wants = listWords(lacks.map(withinWords));
  const isSet = lacks.some(({ before, after }) => before !== undefined && after !== undefined);
  const example = fieldWords([...first.list, first.example]);
  return isSet
    ? `${item} keeps its own ${wants}; that of ${example} was changed`
    : `${item} has no ${wants}, which ${example} was given`;
}

function withinWords({ within }: Habit): string {
  const named = within.find((step) => typeof step === 'object');
  return typeof named === 'object' ? `${String(within[0])} ${named.value}` : pathText(within);
}
