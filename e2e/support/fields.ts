import { expect, type Locator } from '@playwright/test'

/** The field is invalid, and its accessible description begins with the error. A hint may follow. */
export async function expectError(field: Locator, text: string): Promise<void> {
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(beginning(text))
}

export async function expectNoError(field: Locator): Promise<void> {
  await expect(field).not.toHaveAttribute('aria-invalid', 'true')
}

function beginning(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)}`, 'u')
}
