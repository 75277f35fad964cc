import { describeFactsOfRelease } from '../harness/facts.ts';

describeFactsOfRelease('1.32');
describeFactsOfRelease('1.34');
