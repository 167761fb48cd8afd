import type { FailureDetail } from '../contract/failure.ts';
import type { SettingKey } from '../contract/settings.ts';
import type { CallLimits } from '../db/model-calls.ts';
import { type SettingRepository, settingValue } from '../db/settings.ts';
import { type Pseudonyms, pseudonyms } from '../redact/pseudonyms.ts';
import { type Case, caseOfReport, type Surroundings } from '../diagnosis/case.ts';
import { namesIn, type Prompt, promptOf } from './policy/prompt.ts';
import type { ModelSetup } from './providers/model.ts';

/** A case and the question about it. */
export interface CaseQuestion {
  subject: Case;
  prompt: Prompt;
}

export interface QuestionDeps {
  settings: Pick<SettingRepository, 'get'>;
  /** The current surroundings of the failing object. Rejects while the cluster cannot be reached. */
  surroundings(detail: FailureDetail): Promise<Surroundings>;
  /** The key of this installation. Nobody without it can compute the same pseudonyms. */
  pseudonymKey: Uint8Array;
}

/** Builds the questions about failures, with names hidden as the settings say. Throws DatabaseUnavailable. */
export function questions({ settings, surroundings, pseudonymKey }: QuestionDeps) {
  const read = (key: SettingKey): Promise<number> => settingValue(settings, key);
  const hiding = async (names: readonly string[]): Promise<Pseudonyms> => {
    const [hidesNames, emails, addresses] = await Promise.all([
      read('model_hide_names'),
      read('model_hide_emails'),
      read('model_hide_addresses'),
    ]);
    return pseudonyms(pseudonymKey, { names: hidesNames ? names : [], emails: emails === 1, addresses: addresses === 1 });
  };
  const of = async (subject: Case, setup: Pick<ModelSetup, 'provider' | 'model'> | undefined): Promise<CaseQuestion> => {
    const hidden = await hiding(namesIn(subject));
    return { subject, prompt: promptOf(subject, hidden, [setup?.provider ?? '', setup?.model ?? '']) };
  };
  return {
    of,

    /** Makes pseudonyms for `names`, as far as the settings ask for it. */
    hiding,

    /** While the cluster cannot be reached, the question contains only what the record has. */
    async about(detail: FailureDetail, setup: Pick<ModelSetup, 'provider' | 'model'> | undefined): Promise<CaseQuestion> {
      return of(caseOfReport(detail, await surroundings(detail).catch(() => undefined)), setup);
    },

    /** The limits that the settings define. */
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
