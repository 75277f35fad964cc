import type { Unanswered } from '../../../analysis/trials/unanswered.ts';
import { oneLine } from './one-line.ts';

/** `gate/hook.example.com could not be asked: connection refused`. */
export const unansweredWords = ({ webhook, error }: Unanswered): string =>
  `${webhook} could not be asked: ${oneLine(error)}`;
