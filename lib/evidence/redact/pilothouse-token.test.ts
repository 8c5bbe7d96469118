import { expect, test } from 'vitest';
import { newApiToken } from '@/lib/auth/secret';
import { createRedactor } from '../redact';

const redactor = createRedactor({ known: [] });

test('a token of our own is redacted wherever it stands', () => {
  for (let count = 0; count < 50; count += 1) {
    const token = newApiToken();
    for (const text of [token, `curl -H 'Authorization: Bearer ${token}' x`, `{"token":"${token}"}`, `TOKEN=${token}\n`, `"${token}".`]) {
      expect(redactor.text(text)).not.toContain(token.slice(3));
    }
  }
});

test('a word that begins like one is not', () => {
  for (const text of ['ph_level=7', 'the ph_meter_reading was fine', `graph_${'a'.repeat(50)}`]) expect(redactor.text(text)).toBe(text);
});
