import { isLong } from '../support/runner/long.ts';
import { corpusOnNode } from './on-node.ts';

corpusOnNode(1, isLong);
