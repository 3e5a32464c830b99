import '#web/i18n/auth-screens-texts.ts'
// The screens for visitors load as one file: they are small, and many visits need several.
export { Component as AuthLayout } from './auth-layout.tsx'
export { Component as ForgotPassword } from './forgot-password.tsx'
export { Component as Login } from './login.tsx'
export { Component as ResetPassword } from './reset-password.tsx'
export { Component as Signup } from './signup.tsx'
