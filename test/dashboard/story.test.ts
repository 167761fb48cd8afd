import { startDemo } from '../support/processes/demo.ts';
import { tellStory } from './story.ts';

tellStory(startDemo);
