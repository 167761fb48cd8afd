import { isLong } from '../support/runner/long.ts';
import type { Trouble } from './trouble.ts';
import { tellTroubles } from './troubles.ts';
import type { OutageWorld } from './world.ts';

// The API server runs, but it cannot be reached, or it does not answer as it should.

const forward = ({ chaos }: OutageWorld) => chaos.forward();
const TROUBLES: Trouble[] = [
  { says: 'refused connections', begin: ({ chaos }) => chaos.refuse(), end: forward, isAway: true },
  {
    says: 'a proxy that stops forwarding without closing',
    begin: ({ chaos }) => chaos.freeze(),
    // The requests that the proxy took are lost. In the long form, nobody tells the clients. The short form cuts the connections.
    end: ({ chaos }) => (chaos.forward(), isLong || chaos.cut()),
    isAway: true,
  },
  { says: '429 with Retry-After', begin: ({ chaos }) => (chaos.cut(), chaos.limit(1_000_000, 2)), end: forward, isAway: true },
  { says: 'answers that take 5 s', begin: ({ chaos }) => (chaos.cut(), chaos.delay(5_000)), end: forward, isAway: true },
];

tellTroubles('an API server that cannot be reached', TROUBLES);
