import { postgresUrl } from '../support/database/database.ts';
import { startReplicatedDemo } from '../support/processes/replicated-demo.ts';
import { tellStory } from './story.ts';

// The same story against a service that spreads requests and sockets over two replicas: what one was told, the other knows.

const server = postgresUrl;
if (server) tellStory(() => startReplicatedDemo(server));
else console.log('SKIP the story over two replicas: TEST_DATABASE_URL is not set');
