import { describeFacts } from '../harness/facts.ts';

describeFacts(['ssa', 'validation', 'plugins']);
