import { nameOfServer } from '../../corrections/settings/server-name.ts';
import { foundInLogs } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import type { Meaning } from '../../corrections/meaning.ts';
import type { RuleInput } from '../../facts/input.ts';
import { audiences, otherAudience } from '../../corrections/files/token-audience.ts';
import { phraseIn } from '../../facts/phrase.ts';
import type { Signature } from './signature.ts';

/** A token of the service account that AWS does not take. */
function otherToken(input: RuleInput, line: string): Meaning {
  const [shown] = audiences(input);
  return {
    because: `AWS does not take the token of its service account: ${code(phraseIn(line), 120)}`,
    culprit: `audience ${shown?.audience ?? 'of the token'} (InvalidIdentityToken)`,
    corrections: otherAudience(input, line),
    advice: ['Make the token for `sts.amazonaws.com`, and let the role trust the issuer of this cluster.'],
    whereToLook: "the token's `audience` in the pod's projected volume, and the identity provider of the role",
  };
}

/** A bucket that does not exist in the object store. */
function noBucket(input: RuleInput): Meaning {
  const shown = foundInLogs(input.subject, /s3:\/\/([\w.-]{3,63})/) || bucketOf(input);
  const found = nameOfServer(input, 'bucket', shown || undefined);
  const bucket = shown || (found?.wrong ?? '');
  return {
    because: `there is no bucket${bucket ? ` ${code(bucket)}` : ' of that name'}`,
    culprit: `bucket${bucket ? ` ${bucket}` : ''}`,
    corrections: found?.corrections ?? [],
    advice: ['Correct the name and the region in the settings of the program.'],
    whereToLook: "the container's variables and `args`",
  };
}

/** The bucket that the container's variables name. */
function bucketOf(input: RuleInput): string {
  return input.place()?.container?.env?.find(({ name, value }) => /bucket/i.test(name) && value)?.value ?? '';
}

/** What a cloud answers to a request. */
export const cloudAnswerSignatures: readonly Signature[] = [
  {
    id: 'cloud-answer',
    hints: ['an error occurred (', 'nosuchbucket', 'nosuchkey', 'api error', 'bucket does not exist'],
    pattern:
      /An error occurred \((?<error>\w{1,60})\) when calling the (?<call>\w{1,60}) operation|api error (?<error2>\w{1,60}):|(?<error3>NoSuchBucket|NoSuchKey)\b|specified (?<bucket>bucket) does not exist/,
    explain: ({ error, error2, error3, call, bucket: unnamed }, input, line) => {
      const said = error ?? error2 ?? error3 ?? (unnamed ? 'NoSuchBucket' : '');
      if (said === 'NoSuchBucket') return noBucket(input);
      if (said === 'InvalidIdentityToken') return otherToken(input, line);
      const isRight = /denied|unauthori|forbidden|expired|signature|invalid.*(?:key|token)/i.test(said);
      return {
        because: isRight
          ? `its credentials have no rights for ${call ? code(call) : 'this call'} (${code(said)})`
          : `the cloud answers ${code(said)}: ${code(phraseIn(line), 120)}`,
        culprit: call ? `${call} (${said})` : said,
        advice: [
          isRight
            ? 'Give the identity of the pod this right, or correct the credentials.'
            : 'Correct the name and the region in the settings of the program.',
        ],
        whereToLook: isRight
          ? 'the service account, its cloud role, and the Secret with the credentials'
          : "the container's variables and `args`",
      };
    },
  },
];
