import { readdirSync } from 'node:fs';
import { describeProfiles } from '../harness/profiles.ts';

const recorded = readdirSync('test/facts/profiles').filter((file) => file.endsWith('.json'));

describeProfiles(recorded.map((file) => file.slice(0, -'.json'.length)));
