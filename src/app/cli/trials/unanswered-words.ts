import type { Unanswered } from '../../../analysis/trials/refeed.ts';

/** `gate/hook.example.com could not be asked: connection refused`. */
export const unansweredWords = ({ webhook, error }: Unanswered): string =>
  `${webhook} could not be asked: ${oneLine(error)}`;

/** A message of several lines on one. */
export const oneLine = (message: string): string =>
  message.replaceAll(/\s+/g, (blanks) => (blanks.includes('\n') ? ' ' : blanks)).trim();
