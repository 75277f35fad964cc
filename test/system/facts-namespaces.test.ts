import { describeFacts } from '../harness/facts.ts';

describeFacts(['quota', 'limitrange', 'ns']);
