import { Anchor, Code, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ShownFailure } from '../../contract/failure.ts';
import { Back, Check, Cross, Pending, Question } from '../components/icons.tsx';
import { Actions } from './actions.tsx';
import classes from './incident.module.css';
import type { Headline } from './stage.ts';

const SIGNS: Record<Headline['tone'], typeof Check> = { good: Check, bad: Cross, unsure: Question, plain: Pending };

/** The failing workload, with its state first. */
export function Head({ failure, headline, isExplained }: { failure: ShownFailure; headline: Headline; isExplained: boolean }) {
  const { workload, pod_name: pod, failure_reason: reason, failure_message: message } = failure;
  const Sign = SIGNS[headline.tone];
  const name = workload?.name ?? pod;
  return (
    <header className={classes['head']}>
      <div className={classes['head-row']}>
        <Anchor component={Link} to="/incidents" size="sm" className={classes['back'] ?? ''}>
          <Back size={16} /> All incidents
        </Anchor>
        <Actions failure={failure} />
      </div>
      <div className={classes['title']}>
        <p className={classes['headline']} data-tone={headline.tone} data-testid="headline">
          <Sign size={18} /> {headline.text}
        </p>
        <Title order={1} title={name}>
          <bdi>{name}</bdi>
        </Title>
        <Text size="sm" c="dimmed" className={classes['under-title'] ?? ''}>
          <span className={classes['reason']}>{reason}</span> in <bdi>{failure.namespace}</bdi>
          {workload && (
            <>
              {' '}
              · pod <bdi className={classes['mono']}>{pod}</bdi>
            </>
          )}
        </Text>
      </div>
      {message && !isExplained && (
        <Code block className={classes['message'] ?? ''}>
          <bdi>{message}</bdi>
        </Code>
      )}
    </header>
  );
}
