@echo off
setlocal
set ELECTRON_RUN_AS_NODE=1
"%~dp0..\Weft.exe" "%~dp0..\resources\app.asar\out\main\weft.cjs" %*
