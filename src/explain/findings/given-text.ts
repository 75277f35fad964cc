import { fieldWords, listWords } from './field-words.ts';
import type { LateItem } from './late-items.ts';

/** `container late has no env REGION, which container web was given`. */
export function givenText({ added, lacks }: LateItem): string {
  const [first] = lacks;
  const item = fieldWords(added.change.path);
  if (first === undefined) return item;
  const wants = listWords(lacks.map(({ within }) => fieldWords(within)));
  const isSet = lacks.some(({ before, after }) => before !== undefined && after !== undefined);
  const example = fieldWords([...first.list, first.example]);
  return isSet
    ? `${item} keeps its own ${wants}; that of ${example} was changed`
    : `${item} has no ${wants}, which was set on ${example}`;
}
