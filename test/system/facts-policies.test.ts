import { describeFacts } from '../harness/facts.ts';

describeFacts(['vap', 'map']);
