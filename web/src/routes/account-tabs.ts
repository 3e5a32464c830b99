// The account page loads as one file: its tabs are small, and share most of their code.
export { Component as AccountLayout } from './account-layout.tsx'
export { Component as ChangePassword } from './change-password.tsx'
export { Component as Devices } from './devices.tsx'
export { Component as NotificationSettings } from './notification-settings.tsx'
export { Component as OwnData } from './own-data.tsx'
export { Component as Profile } from './profile-edit.tsx'
export { Component as SignIn } from './account-sign-in.tsx'
export { Component as Tokens } from './tokens.tsx'
