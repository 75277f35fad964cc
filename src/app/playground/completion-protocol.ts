import type { PlaygroundTab, PlaygroundTexts } from './protocol.ts';

/** A question of the editor to the worker. */
export interface CompletionQuestion {
  /** `complete`: the words that may stand at the offset; `describe`: what the word there means. */
  readonly type: 'complete' | 'describe';
  /** Numbers the answer. */
  readonly question: number;
  readonly tab: PlaygroundTab;
  /** UTF-16, in the tab's text. */
  readonly offset: number;
  readonly texts: PlaygroundTexts;
}

export type CompletionAnswer =
  | {
      readonly type: 'completions';
      readonly question: number;
      /** Where the word at the offset begins. */
      readonly from: number;
      readonly items: readonly CompletionItem[];
    }
  | {
      readonly type: 'description';
      readonly question: number;
      readonly from: number;
      readonly to: number;
      /** undefined for a word without a meaning here. */
      readonly item: CompletionItem | undefined;
    };

export interface CompletionItem {
  readonly label: string;
  readonly kind: 'field' | 'value';
  /** `[]Container`, `string`. */
  readonly type: string;
  readonly description: string;
  readonly isRequired: boolean;
}
