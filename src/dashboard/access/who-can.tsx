import { Autocomplete, Button, Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { WhoCan as Answer } from '../../contract/access.ts';
import { rightsAddress, whoCanAddress } from '../components/access-address.ts';
import { useAddress, useScope } from '../components/address.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { queryOf } from '../components/query-of.ts';
import { Row, Rows } from '../components/rows.tsx';
import { ask } from '../live/request.ts';
import classes from './access.module.css';
import { nameOf } from './path-text.ts';
import { GrantedBy, MissingRights } from './granted-by.tsx';

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'bind', 'escalate', 'impersonate', '*'];
const RESOURCES = [
  'secrets',
  'pods',
  'pods/exec',
  'pods/log',
  'pods/portforward',
  'pods/ephemeralcontainers',
  'configmaps',
  'serviceaccounts/token',
  'deployments.apps',
  'daemonsets.apps',
  'nodes/proxy',
  'clusterrolebindings.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
];

/** "Who can … in …?" and the answer. The question is in the address. */
export function WhoCan() {
  const namespace = useScope();
  const [{ verb = '', resource = '', object }] = useAddress();
  const asked = { verb, ...(resource.startsWith('/') ? { path: resource } : { resource, name: object, namespace }) };
  const isAsked = verb !== '' && resource !== '';
  const { data, error, refetch } = useQuery({
    queryKey: ['access', 'who-can', asked],
    queryFn: ({ signal }) => ask<Answer>(`/api/access/who-can${queryOf(asked)}`, { signal }),
    enabled: isAsked,
  });
  return (
    <section aria-label="Who can">
      {/* Another address, by Back or by a link, is another question. */}
      <WhoCanForm key={JSON.stringify(asked)} />
      {!isAsked && <Examples />}
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {isAsked && !data && !error && <Skeleton height={120} />}
      {data && isAsked && <Subjects answer={data} />}
    </section>
  );
}

/** The question as a sentence with gaps. */
export function WhoCanForm() {
  const namespace = useScope();
  const [asked, change] = useAddress();
  const [verb, setVerb] = useState(asked['verb'] ?? '');
  const [resource, setResource] = useState(asked['resource'] ?? '');
  const [object, setObject] = useState(asked['object'] ?? '');
  const [place, setPlace] = useState(namespace ?? '');
  const isPath = resource.trim().startsWith('/');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const where = isPath ? { object: undefined } : { object: object.trim(), namespace: place.trim() };
    change({ ask: 'who-can', verb: verb.trim(), resource: resource.trim(), ...where }, 'push');
  };
  return (
    <form className={classes['question']} onSubmit={submit} aria-label="Who can do something">
      <span>Who can</span>
      <Autocomplete
        size="xs"
        aria-label="Verb"
        placeholder="get"
        required
        maxLength={63}
        data={VERBS}
        value={verb}
        onChange={setVerb}
        w={120}
      />
      <Autocomplete
        size="xs"
        aria-label="Resource"
        placeholder="secrets, pods/exec, /healthz"
        required
        maxLength={253}
        data={RESOURCES}
        value={resource}
        onChange={setResource}
        w={230}
      />
      {!isPath && (
        <>
          <span>named</span>
          <TextInput
            size="xs"
            aria-label="Name of the object"
            placeholder="any"
            maxLength={253}
            value={object}
            onChange={(event) => setObject(event.currentTarget.value)}
            w={140}
          />
          <span>in</span>
          <TextInput
            size="xs"
            aria-label="In namespace"
            placeholder="the whole cluster"
            maxLength={63}
            value={place}
            onChange={(event) => setPlace(event.currentTarget.value)}
            w={160}
          />
        </>
      )}
      <Button type="submit" size="xs">
        Ask
      </Button>
    </form>
  );
}

const EXAMPLES = [
  { verb: 'get', resource: 'secrets' },
  { verb: 'create', resource: 'pods/exec' },
  { verb: 'create', resource: 'serviceaccounts/token' },
  { verb: 'bind', resource: 'clusterroles.rbac.authorization.k8s.io' },
];

/** Questions that people ask first. */
function Examples() {
  const namespace = useScope();
  return (
    <ul className={classes['examples']} aria-label="Questions to begin with">
      {EXAMPLES.map((asked) => (
        <li key={asked.resource}>
          <Link {...whoCanAddress({ ...asked, namespace })}>
            Who can {asked.verb} {asked.resource} in {namespace ?? 'the whole cluster'}?
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Subjects({ answer: { subjects, missing_rights: missing } }: { answer: Answer }) {
  return (
    <>
      <MissingRights rights={missing} />
      {subjects.length === 0 ? (
        <EmptyState title="Nobody">No binding lets anybody do it.</EmptyState>
      ) : (
        <>
          <p className={classes['count']} role="status">
            {subjects.length === 1 ? 'One subject can.' : `${subjects.length.toLocaleString('en')} subjects can.`}
          </p>
          <Rows label="Who can do it">
            {subjects.map(({ through, ...subject }) => (
              <Row
                key={nameOf(subject)}
                title={
                  <Link {...rightsAddress(subject)} className={classes['subject']} title="What else it can do">
                    <bdi>{nameOf(subject)}</bdi>
                  </Link>
                }
              >
                {through.length > 0 ? (
                  <GrantedBy through={through} who={subject} />
                ) : (
                  <span className={classes['quiet']}>The API server asks its members nothing.</span>
                )}
              </Row>
            ))}
          </Rows>
        </>
      )}
    </>
  );
}
