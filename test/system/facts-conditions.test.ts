import { describeFacts } from '../harness/facts.ts';

describeFacts(['conditions']);
