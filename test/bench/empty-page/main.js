import '@mantine/core/styles.css';
import { MantineProvider, TextInput } from '@mantine/core';
import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';

// The bench compares the dashboard with this page: the same component library, one field and a long empty page.

function Page() {
  const [value, setValue] = useState('');
  const field = createElement(TextInput, { label: 'Search incidents', value, onChange: (event) => setValue(event.currentTarget.value) });
  return createElement('div', { style: { height: 290_000 } }, field);
}

createRoot(document.getElementById('root')).render(createElement(MantineProvider, null, createElement(Page)));
