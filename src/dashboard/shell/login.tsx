import { Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { UserRecord } from '../../contract/auth.ts';
import { ask, Refused } from '../live/request.ts';
import { Wait } from '../components/error-notice.tsx';
import { Mark } from '../components/icons.tsx';
import { Notice } from '../components/notice.tsx';

interface LoginProps {
  /** No user exists yet; the first one becomes the administrator. */
  isSetup?: boolean;
  /** The reason why the login is shown again. */
  notice?: string | undefined;
  onEnter(user: UserRecord): void;
  /** Called when another person has created the first user. */
  onOutdated(): void;
}

/** The login or the first signup. Refusals are shown in the server's words; the name stays, the password is cleared. */
export function Login({ isSetup = false, notice, onEnter, onOutdated }: LoginProps) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [setupToken, setSetupToken] = useState('');
  const [needsToken, setNeedsToken] = useState(false);
  const [refusal, setRefusal] = useState<Error>();
  const [isBusy, setBusy] = useState(false);

  const enter = async (): Promise<void> => {
    setBusy(true);
    setRefusal(undefined);
    try {
      const body = { username, password, ...(setupToken && { setup_token: setupToken }) };
      onEnter(await ask<UserRecord>(isSetup ? '/api/auth/signup' : '/api/auth/login', { method: 'POST', body }));
    } catch (error) {
      if (isSetup && error instanceof Refused && error.status === 409) return onOutdated();
      setRefusal(error as Error);
      if (isSetup && (error as Error).message.includes('setup_token')) setNeedsToken(true);
      // After too many attempts the password was not checked, so it stays.
      else if (!(error instanceof Refused && error.status === 429)) setPassword('');
      setBusy(false);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void enter();
  };

  return (
    <Center component="main" mih="100vh" p="md">
      <Paper className="login" withBorder shadow="sm" p={{ base: 'lg', xs: 'xl' }} component="form" onSubmit={submit}>
        <Stack gap="md">
          <Mark size={40} />
          <div>
            <Title order={1}>{isSetup ? 'Welcome to Podmend' : 'Log in to Podmend'}</Title>
            <Text c="dimmed" size="sm" mt={4}>
              {isSetup ? 'Create the administrator account. It can create the other users.' : 'See why pods fail and how to correct them.'}
            </Text>
          </div>
          {notice && !refusal && (
            <Notice tone="unsure" role="status">
              {notice}
            </Notice>
          )}
          {refusal && (
            <Notice tone="bad" role="alert">
              {refusal.message}
              {refusal instanceof Refused && refusal.againAt !== null && (
                <>
                  . <Wait key={refusal.againAt} until={refusal.againAt} />
                </>
              )}
            </Notice>
          )}
          <TextInput
            label="Username"
            name="username"
            autoComplete="username"
            required
            autoFocus
            maxLength={128}
            value={username}
            onChange={(event) => setUsername(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            name="password"
            autoComplete={isSetup ? 'new-password' : 'current-password'}
            description={isSetup ? 'At least 8 characters' : undefined}
            minLength={isSetup ? 8 : undefined}
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {needsToken && (
            <PasswordInput
              label="Setup token"
              name="setup-token"
              autoComplete="off"
              description="SETUP_TOKEN of this installation: ask whoever installed it"
              required
              value={setupToken}
              onChange={(event) => setSetupToken(event.currentTarget.value)}
            />
          )}
          <Button type="submit" loading={isBusy} fullWidth>
            {isSetup ? 'Create administrator' : 'Log in'}
          </Button>
        </Stack>
      </Paper>
    </Center>
  );
}
