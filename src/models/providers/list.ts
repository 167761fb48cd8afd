import type { Provider } from '../../contract/model.ts';
import { anthropic } from './anthropic.ts';
import { gemini } from './gemini.ts';
import type { ModelClientFactory } from './model.ts';
import { azure, compatible, openai } from './openai.ts';

/** The client of each provider. */
export const CLIENTS = { anthropic, openai, 'openai-compatible': compatible, azure, gemini } satisfies Record<Provider, ModelClientFactory>;
