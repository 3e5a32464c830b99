// The account page loads as one file: its tabs are small, and share most of their code.
export { Component as AccountLayout } from './account-layout.tsx'
export { Component as AccountTab } from './account-tab.tsx'
export { Component as ChangePassword } from './change-password.tsx'
export { Component as Profile } from './profile-edit.tsx'
