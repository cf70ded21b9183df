# The source stands beside this file, where scripts/package.sh vcpkg puts it.
set(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/source")
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME stowage CONFIG_PATH lib/cmake/stowage)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
