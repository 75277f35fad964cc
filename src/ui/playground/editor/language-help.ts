import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { type EditorView, hoverTooltip, type Tooltip } from '@codemirror/view';
import type { CompletionAnswer, CompletionItem, CompletionQuestion } from '../../../app/playground/protocol.ts';

/** Asks the worker about a place in the shown text. */
export type RequestHelp = (type: CompletionQuestion['type'], offset: number) => Promise<CompletionAnswer | undefined>;

/** Completion while typing, and a description of the word under the pointer. */
export const languageHelp = (request: RequestHelp): Extension => [
  autocompletion({ override: [(context) => complete(request, context)], icons: false, maxRenderedOptions: 60 }),
  hoverTooltip((_view, position) => describe(request, position), { hoverTime: 350 }),
];

async function complete(request: RequestHelp, context: CompletionContext): Promise<CompletionResult | null> {
  const before = context.matchBefore(/[\w./-]*/);
  const isTyped = before !== null && before.from !== before.to;
  if (!isTyped && !context.explicit) return null;
  const answer = await request('complete', context.pos);
  if (answer?.type !== 'completions' || answer.items.length === 0) return null;
  return { from: answer.from, options: answer.items.map(toCompletion), validFor: /^[\w./-]*$/ };
}

const toCompletion = ({ label, kind, type, description, isRequired }: CompletionItem): Completion => ({
  label,
  apply: kind === 'field' ? `${label}: ` : label,
  detail: isRequired ? `${type}, required` : type,
  boost: isRequired ? 1 : 0,
  ...(description === '' ? {} : { info: () => paragraph(description) }),
});

async function describe(request: RequestHelp, position: number): Promise<Tooltip | null> {
  const answer = await request('describe', position);
  if (answer?.type !== 'description' || answer.item === undefined) return null;
  const { from, to, item } = answer;
  return { pos: from, end: to, above: true, create: (_view: EditorView) => ({ dom: hoverCard(item) }) };
}

function hoverCard({ label, type, description, isRequired }: CompletionItem): HTMLElement {
  const card = document.createElement('div');
  card.className = 'hover-card';
  const head = card.appendChild(document.createElement('p'));
  head.appendChild(document.createElement('strong')).textContent = label;
  head.appendChild(document.createElement('code')).textContent = isRequired ? `${type}, required` : type;
  if (description !== '') card.appendChild(paragraph(description));
  return card;
}

function paragraph(text: string): HTMLElement {
  const element = document.createElement('p');
  element.textContent = text;
  return element;
}
