import type { FailureDetail } from '../../contract/failure.ts';
import { SETTINGS, type SettingKey } from '../../contract/settings.ts';
import type { CallLimits } from '../../db/model-calls.ts';
import type { SettingRepository } from '../../db/settings.ts';
import { type Pseudonyms, pseudonyms } from '../../redact/pseudonyms.ts';
import { type Case, caseOfReport, type Surroundings } from '../case.ts';
import { namesIn, type Prompt, promptOf } from '../prompt.ts';
import type { ModelSetup } from '../llm/model.ts';

/** A failure and the question about it. */
export interface Questioned {
  subject: Case;
  prompt: Prompt;
}

export interface QuestionDeps {
  settings: Pick<SettingRepository, 'get'>;
  /** What is around the failing object now. Rejects while the cluster is away. */
  surroundings(detail: FailureDetail): Promise<Surroundings>;
  /** Makes pseudonyms that only this installation can make. */
  pseudonymKey: Uint8Array;
}

/** Makes the questions about failures, hiding what the settings say. Throws DatabaseUnavailable. */
export function questions({ settings, surroundings, pseudonymKey }: QuestionDeps) {
  const read = async (key: SettingKey): Promise<number> => Number((await settings.get(key)) ?? SETTINGS[key].default);
  const hiding = async (names: readonly string[]): Promise<Pseudonyms> => {
    const [hidesNames, emails, addresses] = await Promise.all([
      read('model_hide_names'),
      read('model_hide_emails'),
      read('model_hide_addresses'),
    ]);
    return pseudonyms(pseudonymKey, { names: hidesNames ? names : [], emails: emails === 1, addresses: addresses === 1 });
  };
  const of = async (subject: Case, setup: Pick<ModelSetup, 'provider' | 'model'> | undefined): Promise<Questioned> => {
    const hidden = await hiding(namesIn(subject));
    return { subject, prompt: promptOf(subject, hidden, [setup?.provider ?? '', setup?.model ?? '']) };
  };
  return {
    of,

    /** Pseudonyms as the settings want them; `names` are what is hidden when names are. */
    hiding,

    /** Without a cluster the question holds what the record holds. */
    async about(detail: FailureDetail, setup: Pick<ModelSetup, 'provider' | 'model'> | undefined): Promise<Questioned> {
      return of(caseOfReport(detail, await surroundings(detail).catch(() => undefined)), setup);
    },

    /** How much may be asked. */
    async limits(): Promise<CallLimits> {
      const [concurrent, callsPerHour, tokensPerHour] = await Promise.all([
        read('model_concurrency'),
        read('model_calls_per_hour'),
        read('model_tokens_per_hour'),
      ]);
      return { concurrent, callsPerHour, tokensPerHour };
    },
  };
}

export type Questions = ReturnType<typeof questions>;
