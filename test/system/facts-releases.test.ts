import { describeFactsOfRelease } from '../harness/facts.ts';

// Recorded from v1.32.0, with the rules of 1.33.
describeFactsOfRelease('1.33');
describeFactsOfRelease('1.34');
describeFactsOfRelease('1.37');
