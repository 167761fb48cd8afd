import { postgresUrl } from '../support/database/database.ts';
import { startReplicatedDemo } from '../support/processes/replicated-demo.ts';
import { tellStory } from './story.ts';

// The same story with two replicas behind one service, which distributes requests and sockets. Each replica knows what the other received.

const server = postgresUrl;
if (server) tellStory(() => startReplicatedDemo(server));
else console.log('SKIP the story over two replicas: TEST_DATABASE_URL is not set');
